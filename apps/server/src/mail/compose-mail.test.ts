import { expect, test } from 'vitest'
import type { MailContent } from '../identity/index.ts'
import { composeMail, quotedName } from './compose-mail.ts'

const URL = 'https://weir.acme.example/account'
const TOKEN = 'reset_0123456789'
const EVERY: readonly MailContent[] = [
  { kind: 'password_reset', organizationName: 'Acme', token: TOKEN },
  { kind: 'email_verification', organizationName: 'Acme', token: TOKEN },
  { kind: 'registration', organizationName: 'Acme', heldIn: null, token: TOKEN },
  { kind: 'registration', organizationName: 'Acme', heldIn: 'Other', token: TOKEN },
  { kind: 'registration_of_member', organizationName: 'Acme' },
  { kind: 'member_invitation', organizationName: 'Acme', invitedBy: 'ada@acme.example', role: 'viewer', token: TOKEN },
  {
    kind: 'approval_request',
    organizationName: 'Acme',
    request: {
      what: 'operation',
      id: 12,
      type: 'UNWIND',
      amount: '600.00',
      token: 'USDC',
      blockchain: 'polygon',
      venueName: 'Aave V3',
    },
  },
  { kind: 'approval_request', organizationName: 'Acme', request: { what: 'change', id: 3, summary: 'Add a member' } },
  ...(['own_password', 'assigned_password', 'reset_password', 'factors_removed', 'accounts_unlinked'] as const).map(
    (what): MailContent => ({ kind: 'notice', organizationName: 'Acme', change: { what } }),
  ),
  { kind: 'notice', organizationName: 'Acme', change: { what: 'role', from: 'admin', to: 'viewer' } },
  { kind: 'notice', organizationName: 'Acme', change: { what: 'address', to: 'new@acme.example' } },
  { kind: 'notice', organizationName: 'Acme', change: { what: 'address_released', to: 'released-7@weir.invalid' } },
]

test.each(EVERY)('$kind has a subject, and the same text and link in both forms', (content) => {
  const { subject, text, html } = composeMail(content, URL)
  expect(subject).toMatch(/^[A-Z][A-Za-z -]{8,50}$/)
  expect(text).toContain('Acme')
  expect(html).toContain('Acme')
  expect(text.includes(TOKEN)).toBe('token' in content)
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
  expect(links).toHaveLength('token' in content ? 1 : 0)
  for (const link of links) {
    expect(link).toMatch(/^https:\/\/weir\.acme\.example\/account#(reset|verify|register|join)=reset_0123456789$/)
    expect(text).toContain(`\n${link}\n`)
  }
  expect(html).not.toMatch(/<(script|img|form|iframe|style)|src=/)
})

const HOSTILE = '<img src=x onerror=alert(1)>"\'&</p>\r\nBcc: a@b.example\u2028\u202eevil http://evil.example/x'

test('names of organizations and people become text, never markup, lines or links', () => {
  const content = { kind: 'member_invitation', organizationName: HOSTILE, invitedBy: HOSTILE, role: 'admin' } as const
  const { subject, text, html } = composeMail({ ...content, token: TOKEN }, URL)
  expect(subject).toBe('You are invited to an organization')
  expect(html).not.toMatch(/<img|onerror=alert\(1\)>|<\/p>\s*Bcc/)
  expect(html).toContain('&lt;img')
  for (const body of [text, html]) {
    expect(body).not.toMatch(/[\u2028\u202e]|^Bcc:/m)
    expect(body).not.toContain('http://evil.example')
    expect(body).not.toContain('evil.example')
  }
})

test('a long name is shortened, and quotation marks in it do not end it', () => {
  expect(quotedName('x'.repeat(200))).toBe(`“${'x'.repeat(59)}…”`)
  expect(quotedName('Acme” says “yes')).toBe('“Acme" says "yes”')
  expect(quotedName('  Acme \t Ltd ')).toBe('“Acme Ltd”')
})
