import { browserClock, createFormToken, type FormToken, type FormTokenClock } from './formToken.ts';
import { type Attempt, canRepeat, newIdempotencyKey } from './submissionKey.ts';

/** `scriptMissing`: the code for sending could not be loaded, and the browser's own form post should go through instead. */
export interface ScriptMissing {
  kind: 'scriptMissing';
}

/** No answer arrived, so whether anything is stored is unknown. */
export interface Offline {
  kind: 'offline';
}

/** The calls of a form; their code is loaded when the form is first touched. */
export interface FormApi<Input, Outcome> {
  fetchFormToken: () => Promise<FormToken>;
  create: (input: Input, idempotencyKey: string) => Promise<Outcome>;
}

export interface FormSessionOptions<Values, Input, Outcome> {
  /** The render token the page came with; used when no own one can be fetched. */
  pageToken: string;
  loadApi: () => Promise<FormApi<Input, Outcome>>;
  inputOf: (values: Values, token: string) => Input;
  /** What makes a submission another one: everything the visitor can change. */
  fingerprintOf: (values: Values) => string;
  isOnline: () => boolean;
  clock?: FormTokenClock;
}

/** One view of a form: its code, its render token and the key under which it is sent. */
export interface FormSession<Values, Outcome> {
  touch: () => void;
  /** Sends the form. Null while an earlier call is under way, so a double click sends once. */
  submit: (values: Values) => Promise<Outcome | Offline | ScriptMissing> | null;
}

export function createFormSession<Values, Input, Outcome extends { kind: string }>({
  clock = browserClock,
  ...options
}: FormSessionOptions<Values, Input, Outcome>): FormSession<Values, Outcome> {
  let api: Promise<FormApi<Input, Outcome>> | null = null;
  let lastAttempt: Attempt<Input> | null = null;
  let isSending = false;

  function loadedApi(): Promise<FormApi<Input, Outcome>> {
    api ??= options.loadApi().catch((error: unknown) => {
      api = null;
      throw error;
    });
    return api;
  }

  const formToken = createFormToken(async () => (await loadedApi()).fetchFormToken(), clock);

  async function attemptFor(values: Values): Promise<Attempt<Input>> {
    const fingerprint = options.fingerprintOf(values);
    if (canRepeat(lastAttempt, fingerprint, clock.now())) return lastAttempt;
    const token = (await formToken.ready()) ?? options.pageToken;
    const input = options.inputOf(values, token);
    return { idempotencyKey: newIdempotencyKey(), input, fingerprint, startedAtMs: clock.now() };
  }

  async function send(values: Values): Promise<Outcome | Offline | ScriptMissing> {
    let loaded: FormApi<Input, Outcome>;
    try {
      loaded = await loadedApi();
    } catch {
      return options.isOnline() ? { kind: 'scriptMissing' } : { kind: 'offline' };
    }
    const attempt = await attemptFor(values);
    lastAttempt = attempt;
    const outcome = await loaded.create(attempt.input, attempt.idempotencyKey);
    if (outcome.kind === 'created') lastAttempt = null;
    return outcome;
  }

  return {
    touch: () => {
      if (options.isOnline()) formToken.touch();
    },
    submit: (values) => {
      if (isSending) return null;
      isSending = true;
      return send(values).finally(() => {
        isSending = false;
      });
    },
  };
}
