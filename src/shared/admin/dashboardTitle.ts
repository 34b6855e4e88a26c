/** Apart from the dashboard's other words: every page's code knows it, as the window's title. */
export const dashboardTitle = 'Admin Dashboard';
