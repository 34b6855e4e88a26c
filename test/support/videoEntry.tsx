import { createRoot } from 'react-dom/client';
import { VideoFacade } from '#client/sections/recruitment/VideoFacade.tsx';

/**
 * A page with only the explainer video of a fictional brand, its picture named by the query. It is built and opened by
 * test/browser/explainerVideo.test.ts.
 */
const poster = new URLSearchParams(location.search).get('poster');
const video = { url: 'https://player.example/embed/1', poster, title: 'How it works' };
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<VideoFacade video={video} />);
