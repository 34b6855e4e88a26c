/** Notifies other parts of the page of lead forms and leads. The events contain no data of the lead. */
const leadEvents = new EventTarget();
const created = 'created';
const touched = 'touched';

/** Reports that a visitor began with a lead form. */
export function announceTouch(): void {
  leadEvents.dispatchEvent(new Event(touched));
}

/** Calls `listener` when a lead form is touched, at most a few times per form. Returns a function that removes it. */
export function onTouch(listener: () => void): () => void {
  leadEvents.addEventListener(touched, listener);
  return () => leadEvents.removeEventListener(touched, listener);
}

/** Reports that the server stored a lead: once per lead, however many requests it took. */
export function announceLead(): void {
  leadEvents.dispatchEvent(new Event(created));
}

/** Calls `listener` for each lead from now on. Returns a function that removes it. */
export function onLead(listener: () => void): () => void {
  leadEvents.addEventListener(created, listener);
  return () => leadEvents.removeEventListener(created, listener);
}
