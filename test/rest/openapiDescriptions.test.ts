import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '#server/rest/openapi.ts';

const properties = z.record(z.string(), z.unknown());
const schema = z.object({ properties: properties.default({}) });
const operation = z.object({
  parameters: z.array(z.looseObject({ name: z.string() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema })) }).optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

const described = z.object({ description: z.string().min(5) });
/** A parameter may have its description in its schema. */
const describedInside = z.object({ schema: described });
/** A named schema has its own description. */
const reference = z.object({ $ref: z.string() });

test('every parameter, field of a body and field of a named schema has a description', () => {
  const { paths, components } = document.parse(openApiDocument('1.0.0'));
  const asked = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody }]): [string, unknown][] => [
      ...parameters.map((parameter): [string, unknown] => [`${method} ${path} ${parameter.name}`, parameter]),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema: body }) =>
        Object.entries(body.properties).map(([name, field]): [string, unknown] => [
          `${method} ${path} ${name}`,
          field,
        ]),
      ),
    ]),
  );
  const named = Object.entries(components.schemas).flatMap(([name, { properties: fields }]) =>
    Object.entries(fields).map(([field, value]): [string, unknown] => [`${name}.${field}`, value]),
  );
  const all = [...asked, ...named];
  expect(all.length).toBeGreaterThan(150);
  const hasNone = ([, thing]: [string, unknown]): boolean =>
    ![described, describedInside, reference].some((schemaOf) => schemaOf.safeParse(thing).success);
  expect(all.filter(hasNone).map(([name]) => name)).toEqual([]);
});
