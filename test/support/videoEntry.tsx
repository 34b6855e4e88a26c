import { createRoot } from 'react-dom/client';
import { VideoFacade } from '#client/sections/recruitment/VideoFacade.tsx';

/**
 * A page with only the explainer video of a fictional brand. test/browser/explainerVideo.test.ts builds and opens it.
 */
const video = { url: 'https://player.example/embed/1', poster: null, title: 'How it works' };
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<VideoFacade video={video} />);
