import type { DrawMail } from '#shared/mail/mail.ts';
import type { Bundle } from './bundle.ts';
import type { Renderer } from './renderer.ts';

/** In development as the sources are now. */
export async function rendererOf(bundle: Bundle): Promise<Renderer> {
  return bundle.development === null ? bundle.renderer : bundle.development.loadRenderer();
}

/** What messages are drawn with. */
export function mailDrawer(bundle: Bundle): DrawMail {
  return async (name, props) => (await rendererOf(bundle)).drawMail(name, props);
}
