import { leadMessages } from '../brand/leadMessages.ts';
import { leadCorrectionSchema } from '../leads/correction.ts';
import { leadCreateSchema, requestedProviderId } from '../leads/leads.ts';

/**
 * The body of a lead, with this brand's messages. It is not in `shared/leads` because that folder doesn't import the
 * brand.
 */
export const leadCreateInput = leadCreateSchema(leadMessages);

/**
 * The submission with the requested provider, which is ignored on unknown hosts; on a provider's host, that provider wins.
 * The `.input()` of `leads.create`.
 */
export const leadCreateRequest = leadCreateInput.extend({ providerId: requestedProviderId });

/** The `.input()` of `admin.leads.correct`. */
export const leadCorrectInput = leadCorrectionSchema(leadMessages);
