/** Where a lead is delivered to. */
export const deliveryChannels = ['lead-email', 'clinic-email', 'crm'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * What a delivery says. `lead`: that there is one, in its channel's words for a lead with or without a clinic. `withdrawn`: that the person
 * withdrew the consent to be contacted. `erased`: that the person was erased here and must be there: to the clinic by e-mail, naming the lead by its
 * number alone, and to a CRM that may have the contact. These two are all that is still sent about someone nobody may contact any more.
 */
export const deliveryTemplates = ['lead', 'withdrawn', 'erased'] as const;
export type DeliveryTemplate = (typeof deliveryTemplates)[number];

/** How one try ended. */
export const deliveryOutcomes = ['delivered', 'failed'] as const;

/**
 * `queued`: to be tried, for the first time or again. `delivered`, `failed`: over; staff may have it tried again. `held`: nothing is configured
 * to deliver it with, `reason` says what; it goes out once there is. `cancelled`: not to be delivered any more, `reason` says why.
 */
export const deliveryStates = ['queued', 'delivered', 'failed', 'held', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Seconds from one try to the next, a tenth more or less: eight tries within some 28 hours. */
export const retrySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** Staff may have the lead's e-mail sent again so often in 24 hours. */
export const resendsPerDayMax = 3;

/** And so often to one address, whichever of its leads it is about. */
export const recipientResendsPerDayMax = 5;
