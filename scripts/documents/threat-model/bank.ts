import { SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const BANK: ThreatenedPart = {
  id: 'bank',
  name: 'Banking partner',
  zone: 'third party',
  trustedFor: 'verifications, bank accounts, payments',
  notTrustedFor: 'tokens: deposits count when their block is final',
  threats: [
    ['S', 'send an event in its name', 'signatures over the raw bytes', `${SERVER_FILES}ramp/bridge/signature.test.ts`],
    [
      'T',
      'replay or reorder events',
      'each event is processed only once, and states only go forward',
      `${SERVER_FILES}ramp/events/event-order.test.ts`,
    ],
    [
      'R',
      'deny a request',
      'intents with idempotency keys are stored first',
      `${SERVER_FILES}ramp/bridge/create-once.test.ts`,
    ],
    [
      'I',
      'read account numbers from rows, logs or metrics',
      'sealed, masked and never logged',
      `${SERVER_FILES}surfaces/v1/ramp/account-number-leaks.test.ts`,
    ],
    ['D', 'be unavailable', 'RAMP_UNAVAILABLE, and nothing is lost', `${SYSTEM_TESTS}money/ramp-bridge.test.ts`],
    [
      'E',
      'start verifications without end at your cost',
      'quotas of recipients, accounts and verifications',
      `${SERVER_FILES}ramp/customers/create-recipient.test.ts`,
    ],
  ],
}
