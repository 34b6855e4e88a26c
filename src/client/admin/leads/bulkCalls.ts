import { useMutation } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { type AppRouter, toApiError } from '#client/api/trpc.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { type BulkLeads, bulkLeadsMax } from '#shared/admin/leadActions.ts';

type Outputs = inferRouterOutputs<AppRouter>['admin']['leads'];

/** A request names few leads: more are sent in parts, one after another. */
async function sendParts<Output>(
  ids: readonly number[],
  send: (part: number[]) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (let at = 0; at < ids.length; at += bulkLeadsMax)
    outputs.push(await send(ids.slice(at, at + bulkLeadsMax)));
  return outputs;
}

/** The key by which a change of several leads reloads the lists. */
function toKey(procedure: keyof inferRouterInputs<AppRouter>['admin']['leads']): [string[]] {
  return [['admin', 'leads', procedure]];
}

/** Restores any number of leads that were just deleted, or deletes those that were just restored. */
export function useUndoDelete(change: 'bulkRestore' | 'bulkRemove') {
  const { client } = adminApi.useUtils();
  const { done, failed } = adminMessages[change];
  return useMutation({
    mutationKey: toKey(change),
    mutationFn: async (ids: readonly number[]): Promise<number> => {
      const parts = await sendParts(ids, (part) => client.admin.leads[change].mutate({ ids: part }));
      return parts.flatMap(({ changed }) => changed).length;
    },
    ...withReport({ done: (count: number) => done(count), failed }),
  });
}

export interface BulkAssignment {
  leads: BulkLeads;
  /** Null: each to its nearest. */
  providerId: number | null;
  confirmed: boolean;
}

/** Assigns any number of leads. */
export function useBulkAssign(callbacks: {
  onSuccess: (output: Outputs['bulkAssign'], input: BulkAssignment) => void;
  onError: (error: unknown) => void;
}) {
  const { client } = adminApi.useUtils();
  return useMutation({
    mutationKey: toKey('bulkAssign'),
    mutationFn: async ({ leads, ...rest }: BulkAssignment): Promise<Outputs['bulkAssign']> => {
      if (!('ids' in leads)) return client.admin.leads.bulkAssign.mutate({ ...leads, ...rest });
      const parts = await sendParts(leads.ids, (ids) =>
        client.admin.leads.bulkAssign.mutate({ ids, ...rest }),
      );
      return {
        changed: parts.flatMap(({ changed }) => changed),
        needConfirmation: parts.flatMap(({ needConfirmation }) => needConfirmation),
      };
    },
    ...callbacks,
  });
}

/** Takes back the latest assignments of leads by this person, until their deliveries leave. */
export function useUndoAssign(done: (count: number) => string = adminMessages.undoAssign.done) {
  const { client } = adminApi.useUtils();
  const texts = adminMessages.undoAssign;
  return useMutation({
    mutationKey: toKey('undoAssign'),
    mutationFn: async (ids: readonly number[]): Promise<Outputs['undoAssign']> => {
      let undone = 0;
      const parts = await sendParts(ids, async (part) => {
        try {
          const output = await client.admin.leads.undoAssign.mutate({ ids: part });
          undone += output.changed.length;
          return output;
        } catch (error) {
          const reason = toApiError(error).userMessage;
          if (undone === 0 || reason === null) throw error;
          return { changed: [], refused: part.map((id) => ({ id, reason })) };
        }
      });
      return {
        changed: parts.flatMap(({ changed }) => changed),
        refused: parts.flatMap(({ refused }) => refused),
      };
    },
    ...withReport({
      done: ({ changed, refused }: Outputs['undoAssign']) =>
        refused.length === 0
          ? done(changed.length)
          : texts.partly(
              changed.length,
              [...new Set(refused.map(({ reason }) => reason))].map((reason) => ({
                count: refused.filter((lead) => lead.reason === reason).length,
                reason,
              })),
            ),
      failed: texts.failed,
    }),
  });
}
