import type { DrawMail } from '#shared/mail/mail.ts';
import type { Bundle } from './bundle.ts';
import type { Renderer } from './renderer.ts';

/** The renderer. In development, of the current sources. */
export async function rendererOf(bundle: Bundle): Promise<Renderer> {
  return bundle.development === null ? bundle.renderer : bundle.development.loadRenderer();
}

/** Renders messages with the bundle's renderer. */
export function mailDrawer(bundle: Bundle): DrawMail {
  return async (name, props) => (await rendererOf(bundle)).drawMail(name, props);
}
