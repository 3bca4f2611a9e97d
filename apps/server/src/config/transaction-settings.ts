import { setting } from './define-setting.ts'
import { wholeNumber } from './setting-parsers.ts'

/** How long submitted transactions may stay out of a block. */
export const TRANSACTION_SETTINGS = {
  inclusionTimeoutSeconds: setting(
    'INCLUSION_TIMEOUT_SECONDS',
    '1800',
    wholeNumber(1, 604_800),
    'Seconds without inclusion after which a submitted transaction on an EVM chain fails with TIMEOUT; a late landing is still posted',
  ),
  replaceAfterSeconds: setting(
    'REPLACE_AFTER_SECONDS',
    '300',
    wholeNumber(0, 604_800),
    'Seconds a submitted transaction on an EVM chain may wait for inclusion before agents get a replacement with the same nonce and effect and higher fees; repeats at this interval. 0 disables it',
  ),
  droppedAfterSeconds: setting(
    'DROPPED_AFTER_SECONDS',
    '120',
    wholeNumber(1, 86_400),
    'Seconds after which a submitted transaction that no node knows fails with DROPPED. Time without a responding node does not count',
  ),
} as const
