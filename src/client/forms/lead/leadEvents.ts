/** Heard by whoever acts on a lead that was just stored; it carries nothing of the lead. */
const leadEvents = new EventTarget();
const created = 'created';

/** Says that the server has stored a lead: once for each, however often its sending was tried. */
export function announceLead(): void {
  leadEvents.dispatchEvent(new Event(created));
}

/** Calls `listener` for each lead from now on; returns what ends that. */
export function onLead(listener: () => void): () => void {
  leadEvents.addEventListener(created, listener);
  return () => leadEvents.removeEventListener(created, listener);
}
