import { z } from 'zod';
import { timeFilter } from '../formats/day.ts';

export const auditPageSize = 50;

export const auditActions = [
  'sign-in',
  'sign-in-failed',
  'sign-in-link',
  'sign-in-refused',
  'sign-out',
  'session.confirm',
  'session.end',
  'access.denied',
  'lead.view',
  'leads.list',
  'lead.assign',
  'lead.unassign',
  'lead.take-away',
  'lead.correct',
  'lead.delete',
  'lead.undo',
  'lead.release',
  'lead.retry',
  'lead.outcome',
  'lead.rematch',
  'lead.suppress',
  'lead.called',
  'lead.note',
  'lead.note-undo',
  'lead.follow-up',
  'lead.remind',
  'lead.test',
  'weekly-email.on',
  'weekly-email.off',
  'suppression.lift',
  'task.complete',
  'person.find',
  'person.export',
  'person.erase',
  'leads.export',
  'providers.export',
  'insights.export',
  'provider.update',
  'provider.change',
  'provider.send-again',
  'provider.confirm',
  'provider.confirm-address',
  'provider.create',
  'application.approve',
  'application.decline',
  'application.undo',
  'application.send-link',
  'application.release',
  'application.status',
  'applications.list',
  'mail.view',
  'sync.run',
  'providers.push',
  'token.create',
  'token.revoke',
  'endpoint.create',
  'endpoint.update',
  'endpoint.enable',
  'endpoint.disable',
  'endpoint.rotate',
  'endpoint.test',
  'endpoint.replay',
  'endpoint.remove',
  'account.invite',
  'account.uninvite',
  'account.reset-link',
  'account.create',
  'account.role',
  'account.role-undo',
  'account.password',
  'account.remove',
  'account.identity',
  'account.unlink',
  'second-factor.set-up',
  'second-factor.turn-off',
  'second-factor.reset',
  'second-factor.roles',
  'audit.prune',
  'alert.dismiss',
  'alerts.mail',
  'claim.accept',
  'claim.hide',
  'claim.show',
  'problem.complete',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditSubjectKinds = [
  'lead',
  'provider',
  'application',
  'token',
  'endpoint',
  'account',
  'invitation',
  'sync',
  'delivery',
  'alert',
  'claim',
  'problem',
] as const;

export const auditListInput = z.object({
  action: z.enum(auditActions).optional(),
  /** The name at the time of the action. */
  actor: z.string().trim().min(1).max(100).optional(),
  subjectKind: z.enum(auditSubjectKinds).optional(),
  subjectId: z.string().trim().min(1).max(40).optional(),
  ...timeFilter,
  /** Entries older than this one. */
  before: z.number().int().positive().optional(),
});
export type AuditListInput = z.infer<typeof auditListInput>;

const auditLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  actor: z.object({ kind: z.enum(['staff', 'token', 'command', 'visitor']), name: z.string() }),
  /** Null for a command on the server itself. */
  ip: z.string().nullable(),
  action: z.string(),
  /** `name`: of a lead or a provider that still exists. */
  subject: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditLine = z.infer<typeof auditLine>;

const idName = z.object({ id: z.number().int(), name: z.string() });

/** Newest first. `next` is the `before` of the next page, null on the last. */
export const auditListOutput = z.object({
  lines: z.array(auditLine),
  /** The providers that the details name by id. */
  providers: z.array(idName),
  next: z.number().int().nullable(),
});
