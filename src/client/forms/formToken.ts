import { hourMs } from '#shared/formats/time.ts';

/** What `leads.formToken` returns. The server accepts the token as a person's once it is `minAgeMs` old. */
export interface FormToken {
  token: string;
  minAgeMs: number;
}

interface ReceivedToken extends FormToken {
  receivedAtMs: number;
}

/**
 * A token older than 24 h is no evidence of the form. A page left open overnight fetches a new one before that.
 */
const tokenAgeMaxMs = 20 * hourMs;
export const fetchTimeoutMs = 5000;

export interface FormTokenClock {
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

export const browserClock: FormTokenClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface FormTokenHolder {
  /** Fetches a token unless a recent one exists or is on its way. Call it when the form is first touched. */
  touch: () => void;
  /** Resolves once the token is old enough for the server. Null if it failed to load. */
  ready: () => Promise<string | null>;
}

/**
 * Fetches the token of one form. Cached pages carry a shared token that may be old, so a form with script requests its
 * own. A failed fetch is repeated with the next submit.
 */
export function createFormToken(
  fetchToken: () => Promise<FormToken>,
  clock: FormTokenClock = browserClock,
): FormTokenHolder {
  let pending: Promise<ReceivedToken | null> | null = null;
  let startedAtMs = 0;

  async function receive(): Promise<ReceivedToken | null> {
    try {
      const token = await Promise.race([fetchToken(), clock.wait(fetchTimeoutMs).then(() => null)]);
      return token === null ? null : { ...token, receivedAtMs: clock.now() };
    } catch {
      return null;
    }
  }

  function current(): Promise<ReceivedToken | null> {
    if (pending === null || clock.now() - startedAtMs > tokenAgeMaxMs) {
      startedAtMs = clock.now();
      pending = receive();
    }
    return pending;
  }

  return {
    touch: () => void current(),
    ready: async () => {
      const token = await current();
      if (token === null) {
        pending = null;
        return null;
      }
      const remainingMs = token.minAgeMs - (clock.now() - token.receivedAtMs);
      if (remainingMs > 0) await clock.wait(remainingMs);
      return token.token;
    },
  };
}
