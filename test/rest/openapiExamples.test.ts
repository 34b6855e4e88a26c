import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '#server/rest/openapi.ts';
import { operationExamples } from '#server/rest/operationExamples.ts';
import { restRoutes } from '#server/rest/routes.ts';

const media = z.record(z.string(), z.object({ example: z.unknown().optional() })).default({});
const content = z.object({ content: media });
const operation = z.object({
  operationId: z.string(),
  requestBody: content.optional(),
  responses: z.record(z.string(), content),
});
const item = z.record(z.string(), operation);
const document = openApiDocument('1.0.0');
const { paths, webhooks } = z
  .object({ paths: z.record(z.string(), item), webhooks: z.record(z.string(), item) })
  .parse(document);

interface FoundExample {
  name: string;
  pointer: string;
  example: unknown;
}

/** Each JSON body that is sent or returned on success, but for files to download. */
function listBodies(
  part: 'paths' | 'webhooks',
  items: Record<string, z.output<typeof item>>,
): FoundExample[] {
  return Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => {
      const place = `#/${part}/${path.replaceAll('/', '~1')}/${method}`;
      const bodies = [
        { at: 'requestBody', body: requestBody },
        ...Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .map(([status, body]) => ({ at: `responses/${status}`, body })),
      ];
      return bodies.flatMap(({ at, body }) => {
        const json = body?.content['application/json'];
        if (json === undefined || operationId.startsWith('exports.')) return [];
        const pointer = `openapi${encodeURI(`${place}/${at}`)}/content/application~1json/schema`;
        return [{ name: `${operationId} ${at}`, pointer, example: json.example }];
      });
    }),
  );
}

const bodies = [...listBodies('paths', paths), ...listBodies('webhooks', webhooks)];

test('every JSON body in the document has an example that its schema accepts', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  expect(bodies.length).toBeGreaterThan(60);
  for (const { name, pointer, example } of bodies) {
    expect([name, example]).not.toEqual([name, undefined]);
    const isValid = ajv.validate({ $ref: pointer }, example);
    expect([name, isValid, ajv.errors]).toEqual([name, true, null]);
  }
});

test('no example has a field that its operation does not return', () => {
  for (const { operation: id, output } of restRoutes) {
    const { response } = operationExamples[id] ?? {};
    expect([id, output.parse(response)]).toEqual([id, response]);
  }
});
