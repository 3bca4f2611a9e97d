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
    'Seconds without inclusion after which agents get a submitted transaction on an EVM chain again, with the same nonce and effect and higher fees, and again after as long; 0: never',
  ),
  droppedAfterSeconds: setting(
    'DROPPED_AFTER_SECONDS',
    '120',
    wholeNumber(1, 86_400),
    'Seconds after which a submitted transaction that no node knows fails with DROPPED. Time without a responding node does not count',
  ),
} as const
