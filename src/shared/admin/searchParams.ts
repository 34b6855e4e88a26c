import { z } from 'zod';

/** Reads and writes the values of one schema in a query string. */
export interface SearchParams<Schema extends z.ZodObject> {
  /** The values of a URL. Rejected values are treated as missing. */
  read: (params: URLSearchParams) => z.output<Schema>;
  /** A copy of the query with these values: defaults and empty values are left out, other parameters stay. */
  write: (params: URLSearchParams, values: Partial<z.output<Schema>>) => URLSearchParams;
  /** A request's values, typed but not validated. Leaves out empty ones unless `keepEmpty` lets them be rejected. */
  input: (params: URLSearchParams, options?: { keepEmpty?: boolean }) => Record<string, unknown>;
}

/**
 * The one codec of query strings, derived from a zod schema: a list's filters, order and page in the dashboard's URL,
 * and the query of a REST request. The prefix keeps two lists in one URL apart: `applicationPage`.
 */
export function searchParams<Schema extends z.ZodObject>(schema: Schema, prefix = ''): SearchParams<Schema> {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([key, field]) => ({
    key,
    name: prefix === '' ? key : `${prefix}${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    field,
    parseText: textParser(field),
    usual: z.safeParse(field, undefined).data,
  }));
  const names = new Set(fields.map(({ name }) => name));
  return {
    read: (params) => {
      const known = fields.flatMap(({ key, name, field, parseText }) => {
        const parsed = z.safeParse(field, parseText(params.get(name) || null));
        return parsed.success && !isEmpty(parsed.data) ? [[key, parsed.data] as const] : [];
      });
      return schema.parse(Object.fromEntries(known));
    },
    write: (params, values) => {
      const next = new URLSearchParams([...params].filter(([name]) => !names.has(name)));
      const given = new Map<string, unknown>(Object.entries(values));
      for (const { key, name, usual } of fields) {
        const value = given.get(key);
        if (!isEmpty(value) && value !== usual) next.set(name, String(value));
      }
      return next;
    },
    input: (params, { keepEmpty = false } = {}) =>
      Object.fromEntries(
        fields.flatMap(({ key, name, parseText }) => {
          const text = params.get(name);
          return text === null || (text === '' && !keepEmpty) ? [] : [[key, parseText(text)]];
        }),
      ),
  };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Converts a text to the type of its field, a list at its commas. Other text stays text, and the schema rejects it. */
function textParser(field: z.core.$ZodType): (text: string | null) => unknown {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return textParser(field.unwrap());
  if (field instanceof z.ZodArray) {
    const parseItem = textParser(field.element);
    return (text) => text?.split(',').map((item) => parseItem(item));
  }
  const kind = getKind(field);
  return (text) => {
    if (text === null) return undefined;
    if (kind === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text);
    if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    return text;
  };
}

function getKind(field: z.core.$ZodType): 'number' | 'boolean' | 'text' {
  if (field instanceof z.ZodNumber) return 'number';
  if (field instanceof z.ZodBoolean) return 'boolean';
  if (field instanceof z.ZodLiteral && field.values.has(true)) return 'boolean';
  return 'text';
}
