import { SERVER_FILES, type ThreatenedPart } from './threat.ts'

export const RECEIVER: ThreatenedPart = {
  id: 'receiver',
  name: 'Webhook receivers',
  zone: 'customer',
  trustedFor: 'nothing',
  notTrustedFor: 'any input: only the status of a response is read',
  threats: [
    [
      'S',
      'send false events to a receiver',
      'events are signed, with time and id',
      `${SERVER_FILES}webhooks/delivery/signed-delivery.test.ts`,
    ],
    [
      'T',
      'change an event on its way',
      'the signature covers the body; live requires https',
      `${SERVER_FILES}webhooks/delivery/signed-delivery.test.ts`,
    ],
    [
      'R',
      'deny a delivery',
      'each attempt is stored with its status',
      `${SERVER_FILES}webhooks/delivery/record-attempts.test.ts`,
    ],
    [
      'I',
      'reach the operator’s network through a webhook',
      'addresses are checked after the name is resolved',
      `${SERVER_FILES}webhooks/guard/address-guard.test.ts`,
    ],
    [
      'D',
      'answer slowly or without end',
      'ten seconds, 4 KiB, and a pause for each receiver',
      `${SERVER_FILES}webhooks/endpoints/disable-failing.test.ts`,
    ],
    [
      'E',
      'redirect to another host',
      'redirects are not followed',
      `${SERVER_FILES}webhooks/guard/address-guard.test.ts`,
    ],
  ],
}
