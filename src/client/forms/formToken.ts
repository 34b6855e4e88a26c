/** What `leads.formToken` answers: the token counts as a person's once it is `minAgeMs` old. */
export interface FormToken {
  token: string;
  minAgeMs: number;
}

interface HeldToken extends FormToken {
  receivedAtMs: number;
}

/** The server refuses tokens older than 24 h; a page left open overnight gets a new one before that. */
const tokenAgeMaxMs = 20 * 60 * 60 * 1000;
const fetchTimeoutMs = 5000;

export interface FormTokenClock {
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

export const browserClock: FormTokenClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface FormTokenHolder {
  /** Fetches a token unless a young one is held or under way. Call it when the form is first touched. */
  touch: () => void;
  /** The token, once it is old enough that the server takes the sender for a person; null when none could be fetched. */
  ready: () => Promise<string | null>;
}

/**
 * Holds one form's render token. Cached pages carry a shared, possibly old token, so a form driven by script asks for its own. A failed
 * fetch is tried again with the next submit.
 */
export function createFormToken(
  fetchToken: () => Promise<FormToken>,
  clock: FormTokenClock = browserClock,
): FormTokenHolder {
  let held: Promise<HeldToken | null> | null = null;
  let startedAtMs = 0;

  async function receive(): Promise<HeldToken | null> {
    try {
      const answer = await Promise.race([fetchToken(), clock.wait(fetchTimeoutMs).then(() => null)]);
      return answer === null ? null : { ...answer, receivedAtMs: clock.now() };
    } catch {
      return null;
    }
  }

  function current(): Promise<HeldToken | null> {
    if (held === null || clock.now() - startedAtMs > tokenAgeMaxMs) {
      startedAtMs = clock.now();
      held = receive();
    }
    return held;
  }

  return {
    touch: () => void current(),
    ready: async () => {
      const token = await current();
      if (token === null) {
        held = null;
        return null;
      }
      const remainingMs = token.minAgeMs - (clock.now() - token.receivedAtMs);
      if (remainingMs > 0) await clock.wait(remainingMs);
      return token.token;
    },
  };
}
