import {
  applicationCreateInput,
  applicationCreateOutput,
  applicationFormKey,
} from '#shared/applications/applications.ts';
import { areaAnswer, areaInput } from '#shared/applications/areas.ts';
import { formTokenOutput } from '#shared/leads/leads.ts';
import {
  adminApplication,
  adminApplicationListInput,
  adminApplicationListOutput,
  adminApplicationStatusInput,
  applicationApproveOutput,
  applicationDetail,
  applicationIdInput,
} from '#shared/applications/adminApplications.ts';
import { publicProcedure, router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { countViewed } from '../audit/auditCounts.ts';
import { getApplicationDetail } from './applicationDetail.ts';
import {
  approveApplication,
  declineApplication,
  sendConfirmation,
  undoDecision,
} from './decideApplication.ts';
import { describeArea } from './describeArea.ts';
import { createApplication } from './intake.ts';
import { listApplications, releaseApplication, setApplicationStatus } from './adminApplicationsQueries.ts';

export const applicationsRouter = router({
  create: publicProcedure
    .meta({
      cost: 5,
      rest: {
        method: 'POST',
        path: '/api/provider-applications',
        status: 201,
        summary: 'Apply to become a provider',
        description: 'Stores an application for staff. It can’t be read publicly.',
        errors: [429],
      },
    })
    .input(applicationCreateInput)
    .output(applicationCreateOutput)
    .mutation(({ ctx, input }) => createApplication(ctx.services, ctx.caller, input)),

  /** A mutation, to keep the ZIP out of URLs. Limited per network like the previews of the lead forms. */
  area: publicProcedure
    .meta({
      reads: true,
      cost: 2,
      rest: {
        method: 'POST',
        path: '/api/areas',
        summary: 'Ask about an area',
        description:
          'For prospective providers: the provider nearest to a ZIP code, and about how many people around it asked.',
        errors: [429],
      },
    })
    .input(areaInput)
    .output(areaAnswer)
    .mutation(({ ctx: { services, caller }, input }) =>
      describeArea(services, { caller, typed: input.area_zip }),
    ),

  /** For the script-driven form when it is first touched. The plain form contains the page's own token. */
  formToken: publicProcedure
    .output(formTokenOutput)
    .query(({ ctx: { services, caller } }) =>
      services.submissions.tokenUses.issue(caller, applicationFormKey),
    ),
});

export const adminApplicationsRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminApplicationListInput)
    .output(adminApplicationListOutput)
    .query(async ({ ctx: { services, staffAction }, input }) => {
      await auditListAccess(staffAction, 'applications.list');
      const list = await listApplications(services, input);
      countViewed(staffAction, 'applications.list', { rows: list.applications });
      return list;
    }),

  setStatus: staffOrToken('manager', 'providers:write')
    .input(adminApplicationStatusInput)
    .output(adminApplication)
    .mutation(({ ctx, input }) => setApplicationStatus(ctx.staffAction, input)),

  release: staffOrToken('manager', 'providers:write')
    .input(applicationIdInput)
    .output(adminApplication)
    .mutation(({ ctx, input }) => releaseApplication(ctx.staffAction, input)),

  /** What a person reads who decides. */
  get: staffProcedure('viewer')
    .input(applicationIdInput)
    .output(applicationDetail)
    .query(async ({ ctx: { services, staffAction }, input }) => {
      const detail = await getApplicationDetail(services, input);
      countViewed(staffAction, 'applications.list', { rows: [detail.application] });
      return detail;
    }),

  approve: staffProcedure('manager')
    .input(applicationIdInput)
    .output(applicationApproveOutput)
    .mutation(({ ctx, input }) => approveApplication(ctx.staffAction, input)),

  decline: staffProcedure('manager')
    .input(applicationIdInput)
    .output(applicationIdInput)
    .mutation(({ ctx, input }) => declineApplication(ctx.staffAction, input)),

  undo: staffProcedure('manager')
    .input(adminApplicationStatusInput)
    .output(applicationIdInput)
    .mutation(({ ctx, input }) => undoDecision(ctx.staffAction, input)),

  sendConfirmation: staffProcedure('manager')
    .input(applicationIdInput)
    .output(applicationIdInput)
    .mutation(({ ctx, input }) => sendConfirmation(ctx.staffAction, input)),
});
