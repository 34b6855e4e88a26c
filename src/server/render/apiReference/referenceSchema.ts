import { escapeHtml } from '../../../shared/formats/text.ts';
import type { Schema, Schemas } from './referenceDocument.ts';

/** Text in which backticks mark code. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Follows references to named schemas. Throws if one is missing. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schemas[getName(schema.$ref)];
  if (found === undefined) throw new Error(`No schema is called ${schema.$ref}`);
  return resolved(found, schemas);
}

function getName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** `string or null`, `list of Lead`, `"a" or "b"`: for people. */
function typeText(schema: Schema, schemas: Schemas): string {
  if (schema.$ref !== undefined) return getName(schema.$ref);
  const {
    enum: values,
    const: constant,
    type,
    format,
    items,
    anyOf,
    oneOf,
    allOf,
  } = resolved(schema, schemas);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices !== undefined)
    return [...new Set(choices.map((choice) => typeText(choice, schemas)))].join(' or ');
  const names = (Array.isArray(type) ? type : [type ?? 'any']).map((name) =>
    name === 'array' ? `list of ${items === undefined ? 'any' : typeText(items, schemas)}` : name,
  );
  return `${names.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

/** What else applies to a value. */
function limitsText({ minLength, maxLength, minimum, maximum, maxItems, default: standard }: Schema): string {
  const limits = [
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    minimum === undefined || Math.abs(minimum) >= Number.MAX_SAFE_INTEGER ? '' : `at least ${minimum}`,
    maximum === undefined || Math.abs(maximum) >= Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
    standard === undefined ? '' : `${JSON.stringify(standard)} by default`,
  ];
  return limits.filter((limit) => limit !== '').join(', ');
}

/** The object whose fields a schema has: its own, or those of the list or choice of objects that it is. */
function listObjects(schema: Schema, schemas: Schemas): Schema[] {
  const { properties, items, anyOf, oneOf, allOf } = resolved(schema, schemas);
  if (properties !== undefined) return [resolved(schema, schemas)];
  if (items !== undefined) return listObjects(items, schemas);
  return (anyOf ?? oneOf ?? allOf ?? []).flatMap((choice) => listObjects(choice, schemas));
}

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
}

/** A table of fields or parameters; empty without any. */
export function fieldTable(title: string, fields: readonly Field[], schemas: Schemas): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, schema, isRequired, description }) => {
    const { description: own = '', ...rest } = resolved(schema, schemas);
    const text = [description ?? own, limitsText(rest)].filter((part) => part !== '').join('; ');
    const required = isRequired ? '' : ' <span class="soft">optional</span>';
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required}</th><td><code>${escapeHtml(typeText(schema, schemas))}</code></td><td>${prose(text)}</td></tr>`;
  });
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(title)}"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** The fields of an object, or of each element of a list. Nested objects follow with their path: `provider.name`. */
export function listFields(schema: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  const known = new Set<string>();
  return listObjects(schema, schemas).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, inner]) => {
      const path = `${prefix}${name}`;
      if (known.has(path)) return [];
      known.add(path);
      const field = { name: path, schema: inner, isRequired: required.includes(name) };
      return depth < 2 ? [field, ...listFields(inner, schemas, `${path}.`, depth + 1)] : [field];
    }),
  );
}
