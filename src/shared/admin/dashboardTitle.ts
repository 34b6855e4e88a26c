/** In a file of its own, as every page's code includes it for the window's title. */
export const dashboardTitle = 'Admin Dashboard';
