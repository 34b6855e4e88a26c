import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** The fields of a form that a page of the demo's tools posted. */
export async function getForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}
