import { SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const BROWSER: ThreatenedPart = {
  id: 'browser',
  name: 'Browser and client',
  zone: 'customer',
  trustedFor: 'its own credential',
  notTrustedFor: 'anything that it sends',
  threats: [
    [
      'S',
      'use a stolen session',
      'idle and absolute limits; members end sessions',
      `${SERVER_FILES}identity/sessions/refresh-session.test.ts`,
    ],
    [
      'S',
      'let another site act with the session of a browser',
      'a SameSite cookie, an origin check and a token in a header; refused with 403',
      `${SERVER_FILES}surfaces/core/identity/sessions/browser-session.test.ts`,
    ],
    [
      'S',
      'keep a copied cookie after its user sets a password, adds a factor or steps up',
      'another cookie replaces it; the copy opens nothing that needs a step-up, and gets 401 after 30 seconds',
      `${SERVER_FILES}surfaces/core/identity/sessions/replaced-cookie.test.ts`,
    ],
    [
      'T',
      'make a browser send a request from another page',
      'no CORS, JSON only, no change without a token',
      `${SYSTEM_TESTS}attacks/operators.test.ts`,
    ],
    [
      'R',
      'approve under another name',
      'decisions store their user; the requester may not approve',
      `${SERVER_FILES}operations/approval/count-approvals.test.ts`,
    ],
    [
      'I',
      'read a response from a cache or another origin',
      'no-store, same-origin, no frames',
      `${SERVER_FILES}surfaces/http/responses/security-headers.test.ts`,
    ],
    [
      'D',
      'lock a user out by wrong passwords',
      'addresses that the account has used are not locked out',
      `${SERVER_FILES}identity/attempts/login-attempts.test.ts`,
    ],
    [
      'E',
      'run a script in /docs',
      'inline scripts run by their hash only',
      `${SERVER_FILES}surfaces/http/responses/security-headers.test.ts`,
    ],
  ],
}
