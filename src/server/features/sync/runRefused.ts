/** A guard stops the run. `message` is for staff; nothing has been changed. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused';
}
