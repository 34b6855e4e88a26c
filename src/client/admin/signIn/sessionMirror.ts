const flag = 'auth';

/** Mirrors in `sessionStorage.auth` whether this tab shows the dashboard. It opens nothing: the session is the server's. */
export function mirrorSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) sessionStorage.setItem(flag, 'true');
    else sessionStorage.removeItem(flag);
  } catch {
    // A browser that keeps nothing loses nothing by it.
  }
}
