/**
 * What lies over what. Of dialogs with the same level, one that was on the page earlier lies under a later one; what a
 * button opens in them is at 300.
 */
export const LAYERS = {
  /** Panels and dialogs. */
  dialogs: 200,
  /** A secret that is shown once, over the panel that asked for it. */
  secret: 210,
  /** The question for a second factor, over the form that waits for it. */
  stepUp: 220,
  /** The question whether to leave, over what would be lost. */
  leave: 230,
  notifications: 250,
  popovers: 300,
} as const
