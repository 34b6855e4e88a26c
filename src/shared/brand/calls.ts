/** Texts that several pages share. */

export const callToAction = {
  start: 'Get Started Today!',
  claim: 'Claim Your FREE Consult Now!',
  qualify: 'Find Out If You Qualify!',
} as const;

/** On the page for prospective providers and in its header. */
export const applyLabel = 'Apply Now';

/** The note that study claims (`¹`) link to. */
export const studyNote = {
  id: 'study-note',
  mark: '1',
  markLabel: 'Study note 1',
  text: 'Clinical study of the protocol. Figures are its participants’ averages and reports after six months. Individual results vary; this is not medical advice.',
} as const;
