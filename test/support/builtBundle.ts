import { type Bundle, loadBundle } from '#server/render/bundle.ts';

let bundle: Promise<Bundle> | undefined;

/** The built bundle, loaded once per worker. All sites share it, and nothing changes it. */
export function builtBundle(): Promise<Bundle> {
  return (bundle ??= loadBundle());
}
