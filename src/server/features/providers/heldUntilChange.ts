import { toAppError } from '../../errors.ts';

export interface Held<Value> {
  /**
   * What was made last, if no change was heard since; else it is made anew by the first who asks, and others who ask meanwhile wait for the
   * same. While the database is away the last one stands; throws SERVICE_UNAVAILABLE when there is none.
   */
  get: () => Value | Promise<Value>;
}

interface HeldOptions<Value> {
  make: () => Promise<Value>;
  /** See TenantDirectory. */
  revision: () => number | null;
}

/** Something made of the clinics' records and held in memory until one of them changes. */
export function holdUntilChange<Value extends object>({ make, revision }: HeldOptions<Value>): Held<Value> {
  let made: { revision: number | null; value: Value } | null = null;
  let making: { revision: number | null; done: Promise<Value> } | null = null;

  async function makeAt(at: number | null): Promise<Value> {
    try {
      const value = await make();
      made = { revision: at, value };
      return value;
    } catch (error) {
      if (made === null || toAppError(error).code !== 'SERVICE_UNAVAILABLE') throw error;
      return made.value;
    } finally {
      making = null;
    }
  }

  async function getLater(at: number | null): Promise<Value> {
    if (making === null) making = { revision: at, done: makeAt(at) };
    else if (making.revision !== at) {
      // Begun before a change was heard, it may lack it.
      await making.done.catch(() => undefined);
      return get();
    }
    return making.done;
  }

  function get(): Value | Promise<Value> {
    const at = revision();
    return made !== null && at !== null && made.revision === at ? made.value : getLater(at);
  }

  return { get };
}
