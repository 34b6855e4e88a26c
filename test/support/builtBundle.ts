import { type Bundle, loadBundle } from '#server/render/bundle.ts';

let bundle: Promise<Bundle> | undefined;

/** What was built, loaded once a worker: it is the same for every site, and nothing changes it. */
export function builtBundle(): Promise<Bundle> {
  return (bundle ??= loadBundle());
}
