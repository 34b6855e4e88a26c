import { isSiteReachable, type PlainFields, plainFields } from './postPlainForm.ts';
import { hourMs } from '#shared/formats/time.ts';

/** Messages by field name. */
export type FieldErrors = Partial<Record<string, string>>;

/**
 * Result of one request. `refused`: `message` is the sentence of the response, if it has one, and `errorMessage` the
 * error's own. `offline`: no response arrived, so it is unknown whether the server stored anything.
 */
export type SubmitOutcome<Created> =
  | { kind: 'created'; created: Created }
  | { kind: 'refused'; message: string | null; errorMessage: string | null; fields: FieldErrors }
  | { kind: 'offline' };

/**
 * `scriptMissing`: the code that sends the form failed to load, so the browser's own form post should be used instead.
 * `blocked`: something between the page and the server answers or drops the script's requests, for the second time. The
 * browser should post `fields` instead: the same submission with the same key.
 */
export type FormOutcome<Created> =
  SubmitOutcome<Created> | { kind: 'scriptMissing' } | { kind: 'blocked'; fields: PlainFields };

/** The requests of one form. Their code is loaded when the form is first touched. */
export interface FormApi<Input, Created> {
  fetchFormToken: () => Promise<FormToken>;
  create: (input: Input, idempotencyKey: string) => Promise<SubmitOutcome<Created>>;
}

export interface FormSessionOptions<Values, Input, Created> {
  /** The form token that the page came with. It is used if the session cannot fetch its own. */
  pageToken: string;
  loadApi: () => Promise<FormApi<Input, Created>>;
  toInput: (values: Values, token: string) => Input;
  /** Everything that makes this a different submission: what the visitor can change. */
  computeFingerprint: (values: Values) => string;
  isOnline: () => boolean;
  /** Whether the site itself responds, so that a page may be left for a plain form post. */
  isReachable?: () => Promise<boolean>;
  clock?: FormTokenClock;
}

/** One request. A retry repeats its body byte for byte, token included. */
interface Attempt<Input> {
  idempotencyKey: string;
  input: Input;
  fingerprint: string;
  startedAtMs: number;
}

/** The server keeps idempotency keys and form tokens for 24 h. An attempt older than this is not repeated. */
const attemptAgeMaxMs = 20 * hourMs;

/** Failures in a row after which the script's requests count as blocked. */
const blockedAfter = 2;

/** No response, or one that isn't the server's: those have a sentence. The submission may be stored all the same. */
function isUnanswered<Created>(outcome: SubmitOutcome<Created>): boolean {
  return outcome.kind === 'offline' || (outcome.kind === 'refused' && outcome.message === null);
}

/** One view of a form: its requests, its form token and the idempotency key of what it sends. */
export function createFormSession<Values, Input extends object, Created>({
  clock = browserClock,
  isReachable = isSiteReachable,
  ...options
}: FormSessionOptions<Values, Input, Created>) {
  let api: Promise<FormApi<Input, Created>> | null = null;
  let lastAttempt: Attempt<Input> | null = null;
  let isSending = false;
  let unanswered = 0;

  function loadApi(): Promise<FormApi<Input, Created>> {
    api ??= options.loadApi().catch((error: unknown) => {
      api = null;
      throw error;
    });
    return api;
  }

  const formToken = createFormToken(async () => (await loadApi()).fetchFormToken(), clock);

  /** Repeats the last attempt if its content is the same, so that nothing is stored twice after a lost response. */
  async function attemptFor(values: Values): Promise<Attempt<Input>> {
    const fingerprint = options.computeFingerprint(values);
    const isYoung = lastAttempt !== null && clock.now() - lastAttempt.startedAtMs < attemptAgeMaxMs;
    if (isYoung && lastAttempt?.fingerprint === fingerprint) return lastAttempt;
    const token = (await formToken.ready()) ?? options.pageToken;
    const input = options.toInput(values, token);
    return { idempotencyKey: newIdempotencyKey(), input, fingerprint, startedAtMs: clock.now() };
  }

  async function send(values: Values): Promise<FormOutcome<Created>> {
    let loaded: FormApi<Input, Created>;
    try {
      loaded = await loadApi();
    } catch {
      return { kind: options.isOnline() ? 'scriptMissing' : 'offline' };
    }
    const attempt = await attemptFor(values);
    lastAttempt = attempt;
    const outcome = await loaded.create(attempt.input, attempt.idempotencyKey);
    if (outcome.kind === 'created') lastAttempt = null;
    unanswered = isUnanswered(outcome) ? unanswered + 1 : 0;
    const isBlocked = unanswered >= blockedAfter && options.isOnline() && (await isReachable());
    return isBlocked
      ? { kind: 'blocked', fields: plainFields(attempt.input, attempt.idempotencyKey) }
      : outcome;
  }

  return {
    /** Loads the code and fetches the token ahead of the submit. */
    touch: (): void => {
      if (options.isOnline()) formToken.touch();
    },
    /** Sends the form. Returns null while an earlier call is pending, so a double click sends once. */
    submit: (values: Values): Promise<FormOutcome<Created>> | null => {
      if (isSending) return null;
      isSending = true;
      return send(values).finally(() => {
        isSending = false;
      });
    },
  };
}

/** A UUID (version 4). `crypto.randomUUID` needs a secure context, and a provider's host may be plain HTTP. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What `leads.formToken` returns. The server accepts the token as a person's once it is `minAgeMs` old. */
interface FormToken {
  token: string;
  minAgeMs: number;
}

interface ReceivedToken extends FormToken {
  receivedAtMs: number;
}

/** A token older than 24 h is no evidence of the form. A page left open overnight fetches a new one before that. */
const tokenAgeMaxMs = 20 * hourMs;
export const fetchTimeoutMs = 5000;

interface FormTokenClock {
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

const browserClock: FormTokenClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Fetches a form's own token: a cached page's may be old. A failed fetch is repeated with the next submit. */
function createFormToken(fetchToken: () => Promise<FormToken>, clock: FormTokenClock) {
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
    /** Fetches a token unless a recent one exists or is on its way. Call it when the form is first touched. */
    touch: () => void current(),
    /** Resolves once the token is old enough for the server. Null if it failed to load. */
    ready: async (): Promise<string | null> => {
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
