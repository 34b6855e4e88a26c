import { leadMessages } from '../brand/leadMessages.ts';
import { leadCreateSchema, requestedProviderId } from '../leads/leads.ts';

/** The body of a lead, with this brand's messages. Apart from leads.ts, which is below the brand. */
export const leadCreateInput = leadCreateSchema(leadMessages);

/** The submission with the requested provider, which counts only on the main site. */
export const leadCreateRequest = leadCreateInput.extend({ providerId: requestedProviderId });
