/** The steps of a piece of work, in the order in which they can happen. */
export const WORK_STEPS = [
  'polled',
  'verified',
  'refused',
  'held',
  'approved',
  'limit-reached',
  'reserved',
  'signing',
  'signed',
  'journaled',
  'sent',
  'send-refused',
  'reported',
  'report-refused',
  'failed',
  'left',
  'lease-renewed',
  'lease-lost',
  'resent',
  'ended',
  'action-polled',
  'key-made',
  'key-journaled',
  'action-reported',
] as const

export type WorkStep = (typeof WORK_STEPS)[number]
