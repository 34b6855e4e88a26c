/** Where a lead is delivered to. */
export const deliveryChannels = ['lead-email', 'clinic-email', 'crm'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const deliveryOutcomes = ['delivered', 'failed'] as const;
