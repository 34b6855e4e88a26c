/** Loaded after the page is live, through LazyMotion. */
export { domAnimation as motionFeatures } from 'framer-motion';
