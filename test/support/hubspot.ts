import { randomUUID } from 'node:crypto';
import type { Behaviour } from './receiver.ts';

export interface Hubspot {
  behave: Behaviour;
  /** By id. */
  contacts: Map<string, Record<string, string>>;
  /** The ids of permanently deleted contacts. */
  erased: string[];
}

/**
 * Responds like HubSpot's contacts API, according to its documentation:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts (and
 * …/update-contact, …/gdpr/gdpr-delete-contact).
 */
export function hubspot(): Hubspot {
  const contacts: Hubspot['contacts'] = new Map();
  const erased: string[] = [];
  const say = (response: Parameters<Behaviour>[0], status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const error = { status: 'error', correlationId: randomUUID() };
  const behave: Behaviour = (response, { method, path, headers, body }) => {
    if (headers.authorization !== 'Bearer pat-na1-token')
      return say(response, 401, {
        ...error,
        message: 'Authentication credentials not found.',
        category: 'INVALID_AUTHENTICATION',
      });
    const sent = JSON.parse(body) as {
      properties?: Record<string, string>;
      inputs?: { id: string; idProperty: string; properties: Record<string, string> }[];
      objectId?: string;
      idProperty?: string;
    };
    if (path === '/crm/v3/objects/contacts/gdpr-delete') {
      const { objectId = '', idProperty } = sent;
      if (objectId === '' || idProperty !== undefined)
        return say(response, 400, { ...error, message: 'Invalid input JSON', category: 'VALIDATION_ERROR' });
      if (!contacts.delete(objectId))
        return say(response, 404, { ...error, message: 'resource not found', category: 'OBJECT_NOT_FOUND' });
      erased.push(objectId);
      return void response.writeHead(204).end();
    }
    if (method === 'PATCH') {
      const id = path.replace('/crm/v3/objects/contacts/', '');
      const contact = contacts.get(id);
      if (contact === undefined)
        return say(response, 404, { ...error, message: 'resource not found', category: 'OBJECT_NOT_FOUND' });
      contacts.set(id, { ...contact, ...sent.properties });
      return say(response, 200, { id, properties: contacts.get(id), archived: false });
    }
    const [input] = sent.inputs ?? [];
    if (path !== '/crm/v3/objects/contacts/batch/upsert' || input?.idProperty !== 'email')
      return say(response, 400, { ...error, message: 'Invalid input JSON', category: 'VALIDATION_ERROR' });
    const known = [...contacts].find(([, { email }]) => email?.toLowerCase() === input.id.toLowerCase());
    const id = known?.[0] ?? String(900_000_000 + contacts.size);
    contacts.set(id, { ...known?.[1], ...input.properties });
    return say(response, 200, {
      status: 'COMPLETE',
      results: [{ id, properties: contacts.get(id), archived: false, new: known === undefined }],
    });
  };
  return { behave, contacts, erased };
}
