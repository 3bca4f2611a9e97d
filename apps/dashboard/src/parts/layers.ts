/**
 * What lies over what. Panels and dialogs are at 200, and one that was on the page earlier lies under a later one; what a
 * button opens in them is at 300.
 */
export const LAYERS = {
  /** A secret that is shown once, over the panel that asked for it. */
  secret: 210,
  /** The question for a second factor, over the form that waits for it. */
  stepUp: 220,
  notifications: 250,
} as const
