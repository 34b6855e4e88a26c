/** Texts that several pages share. */

export const callToAction = {
  start: 'Get Started Today!',
  claim: 'Claim Your FREE Consult Now!',
  qualify: 'Find Out If You Qualify!',
} as const;

/** The note that study claims (`¹`) link to. */
export const studyNote = {
  id: 'study-note',
  mark: '1',
  markLabel: 'Study note 1',
  text: 'Clinical study of the protocol. Figures are averages and reports of its participants after six months. Individual results vary; this is not medical advice.',
} as const;
