import { unavailable } from '../../errors.ts';

/** Less than a browser's own patience (client/features/leadForm/leadApi.ts), and a person's. */
const answerWithinMs = 20_000;

/** What the work comes to, or SERVICE_UNAVAILABLE when a database that hangs holds it up. */
export async function answerInTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), answerWithinMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
