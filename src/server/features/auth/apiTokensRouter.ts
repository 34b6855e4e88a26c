import { z } from 'zod';
import { apiToken, tokenCreateInput, tokenCreateOutput, tokenIdInput } from '#shared/admin/apiTokens.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { listTokens, makeToken, presentToken, endToken } from './tokens.ts';

const owner = staffProcedure('owner');

export const apiTokensRouter = router({
  list: owner
    .output(z.array(apiToken))
    .query(async ({ ctx }) => (await listTokens(ctx.services.db)).map((row) => presentToken(row))),

  /** The answer is the only time the token is seen. */
  create: owner
    .input(tokenCreateInput)
    .output(tokenCreateOutput)
    .mutation(
      async ({
        ctx: {
          staffAction: { services, actor, ip },
        },
        input,
      }) => {
        const by = { actor, ip, now: services.now() };
        const { row, token } = await makeToken(services.db, by, input);
        return { token, created: presentToken(row) };
      },
    ),

  revoke: owner
    .input(tokenIdInput)
    .output(apiToken)
    .mutation(
      async ({
        ctx: {
          staffAction: { services, actor, ip },
        },
        input,
      }) => presentToken(await endToken(services.db, { actor, ip, now: services.now() }, input.id)),
    ),
});
