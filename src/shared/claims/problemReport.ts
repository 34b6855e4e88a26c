import { z } from 'zod';
import { cleanText } from '../leads/leadFields.ts';
import { honeypotName } from '../leads/quarantine.ts';
import { sentText } from '../leads/leads.ts';
import { problemLimits } from './problemFields.ts';

function typed(label: string, lengthMax: number) {
  return z
    .string()
    .transform((value) =>
      value
        .split(/\r\n|\r|\n/)
        .map(cleanText)
        .join('\n')
        .trim(),
    )
    .pipe(z.string().max(lengthMax, `${label} must be at most ${lengthMax} characters`));
}

export const problemCreateInput = z.object({
  what: typed('The text', problemLimits.whatLengthMax).pipe(z.string().min(1, 'Say what happened')).meta({
    description: 'What happened',
    example: 'Nobody called me.',
    maxLength: problemLimits.whatLengthMax,
  }),
  contact: typed('The contact', problemLimits.contactLengthMax)
    .optional()
    .meta({ description: 'How to reach the person; optional', example: 'kit@example.com' }),
  claim: z.string().max(100).optional().meta({
    description: 'ID of the claim that the problem is about; an unknown one is ignored',
    example: 'average-increase',
  }),
  token: sentText(200).meta({ description: 'Of the form it was typed into; scripts leave it out' }),
  [honeypotName]: sentText(200).meta({ description: 'Omit it: a report that fills it in is set aside' }),
});
export type ProblemSubmission = z.output<typeof problemCreateInput>;

export const problemCreateOutput = z.object({ received: z.literal(true) });
