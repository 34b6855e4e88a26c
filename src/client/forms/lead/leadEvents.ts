/** Notifies other parts of the page that a lead was stored. The event contains no data of the lead. */
const leadEvents = new EventTarget();
const created = 'created';

/** Reports that the server stored a lead: once per lead, however many requests it took. */
export function announceLead(): void {
  leadEvents.dispatchEvent(new Event(created));
}

/** Calls `listener` for each lead from now on. Returns a function that removes it. */
export function onLead(listener: () => void): () => void {
  leadEvents.addEventListener(created, listener);
  return () => leadEvents.removeEventListener(created, listener);
}
