/** Texts that several pages share. */

export const callToAction = {
  start: 'Start moving',
  claim: 'Book a free first look',
  qualify: 'See if it suits your knees',
} as const;

/** On the page for prospective providers and in its header. */
export const applyLabel = 'Ask to join';

/** The note that study claims (`¹`) link to. */
export const studyNote = {
  id: 'study-note',
  mark: '1',
  markLabel: 'Study note 1',
  text: 'Knee study: averages and reports of its participants after twelve weeks. Yours may differ, and nothing here is medical advice.',
} as const;
