import { createContext, use } from 'react';

/** Labels of the buttons inside this kit's components. */
interface Labels {
  close: string;
  dismiss: string;
}

const LabelsContext = createContext<Labels | null>(null);

/** Once around the whole page. */
export const LabelsProvider = LabelsContext.Provider;

export function useLabels(): Labels {
  const labels = use(LabelsContext);
  if (labels === null) throw new Error('A component of client/ui needs a LabelsProvider');
  return labels;
}
