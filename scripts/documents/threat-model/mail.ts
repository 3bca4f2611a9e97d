import { SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const MAIL: ThreatenedPart = {
  id: 'mail',
  name: 'Mail',
  zone: 'third party',
  trustedFor: 'carrying links that prove an address',
  notTrustedFor: 'approvals: a reset pauses them for a day; second factors: a reset keeps them',
  threats: [
    [
      'S',
      'guess or reuse a token',
      'tokens work once, for a short time, and guesses are counted',
      `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`,
    ],
    [
      'T',
      'put lines or markup into an email',
      'names are refused or escaped',
      `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`,
    ],
    [
      'R',
      'deny a reset',
      'the audit log has it, and the address gets a notice',
      `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`,
    ],
    [
      'I',
      'learn who has an account',
      'every address gets the same response',
      `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`,
    ],
    ['D', 'flood an address', 'five emails in an hour', `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`],
    [
      'E',
      'invite above one’s own role',
      'refused, and checked again at the acceptance',
      `${SYSTEM_TESTS}attacks/mail-and-reset.test.ts`,
    ],
  ],
}
