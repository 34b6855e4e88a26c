import { adFramePath } from '#shared/pages/paths.ts';

/**
 * Reports a lead to the site's ad networks, once, in a hidden, sandboxed frame with a document of its own (server/render/adFrame.ts), so that
 * their scripts never run in the page with the form. Nothing waits for it, and failures are ignored.
 */
export function reportLead(providerId: number | null): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = '';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.referrerPolicy = 'no-referrer';
  frame.src = adFramePath(providerId);
  document.body.append(frame);
}
