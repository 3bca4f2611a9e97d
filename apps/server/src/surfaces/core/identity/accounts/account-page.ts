import Type from 'typebox'
import { type App, setPageHeaders } from '../../../http/index.ts'

/**
 * The page that links in mail lead to, unless ACCOUNT_URL names another. The token is in the fragment, which browsers
 * send to no server; the page sends it with what the person enters. Opening the link changes nothing, so programs that
 * follow links in mail use nothing up.
 */
export function accountPageRoute(app: App): void {
  app.get(
    '/account',
    {
      config: { access: 'open', limit: 'anonymous' },
      schema: {
        tags: ['Authentication'],
        operationId: 'showAccountPage',
        summary: 'Show the page for links in mail',
        description:
          'An HTML page that resets a password, confirms an address or a registration, or accepts an invitation. The action and its token follow the `#`: `reset`, `verify`, `register` or `join`.',
        response: {
          200: {
            description: 'The page.',
            content: { 'text/html': { schema: Type.String({ description: 'An HTML page.' }) } },
          },
        },
      },
    },
    async (_request, reply) => {
      setPageHeaders(reply, { html: PAGE })
      reply.header('Cache-Control', 'no-store')
      return reply.type('text/html; charset=utf-8').serializer(String).send(PAGE)
    },
  )
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fbfaf7; --line: #8a9099; --accent: #0b5c5c; --wrong: #a3131f }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae4; --paper: #14181c; --line: #7d858f; --accent: #7fd1c7; --wrong: #ff9a9f } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 30rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
label { display: block; font-weight: 600; margin-top: 1.25rem }
input { width: 100%; font: inherit; color: inherit; background: transparent; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: .4rem }
button { font: inherit; font-weight: 600; margin-top: 1.75rem; padding: .7rem 1.4rem; border: 0; border-radius: .4rem; color: var(--paper); background: var(--accent); cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[role=alert] { color: var(--wrong); font-weight: 600; min-height: 1.5rem }
[hidden] { display: none }`

/** Nothing from the address or a response becomes HTML: the script sets text only. */
const SCRIPT = `
const actions = {
  reset: { title: 'Set a new password', label: 'New password (12 characters or more)', path: 'password-reset/confirm', field: 'newPassword', fresh: true, done: 'Your password is set, and all your sessions have ended. You can sign in with it now.' },
  verify: { title: 'Confirm your email address', label: 'Password of your account', path: 'email-verification/confirm', field: 'password', done: 'Your email address is confirmed.' },
  register: { title: 'Confirm your registration', label: 'Password that you chose', path: 'register/confirm', field: 'password', done: 'Your organization is registered. You can sign in now.' },
  join: { title: 'Accept the invitation', label: 'Your new password (12 characters or more)', path: 'invitations/accept', field: 'password', fresh: true, named: true, done: 'You are a member now. You can sign in.' },
}
const at = (id) => document.getElementById(id)
const [name, token = ''] = location.hash.slice(1).split('=')
const action = Object.hasOwn(actions, name) ? actions[name] : undefined
history.replaceState(null, '', location.pathname)
let takeAddress = false
if (!action || !token) at('title').textContent = 'This link is not complete'
else {
  at('title').textContent = action.title
  at('label').textContent = action.label
  at('send').textContent = action.title
  at('named').hidden = !action.named
  at('password').autocomplete = action.fresh ? 'new-password' : 'current-password'
  if (action.fresh) at('password').minLength = 12
  at('form').hidden = false
}
at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  at('problem').textContent = ''
  at('send').disabled = true
  const body = { token, [action.field]: at('password').value }
  if (action.named && at('name').value.trim()) body.name = at('name').value
  if (takeAddress) body.takeAddress = true
  try {
    const response = await fetch('api/core/auth/' + action.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const answer = await response.json()
    if (response.ok) {
      at('form').hidden = true
      at('done').textContent = action.done
    } else if (answer.details?.reason === 'address_unproved') {
      takeAddress = true
      at('problem').textContent = 'Another account has this address and never confirmed it. Send again to take the address over; that account stays as it is, without the address.'
    } else at('problem').textContent = answer.message
  } catch {
    at('problem').textContent = 'The service does not respond. Try again.'
  }
  at('send').disabled = false
})`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>Weir account</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 id="title">Weir account</h1>
<form id="form" hidden>
<div id="named" hidden><label for="name">Your name (optional)</label><input id="name" maxlength="200" autocomplete="name"></div>
<label for="password" id="label">Password</label><input id="password" type="password" required maxlength="1024">
<p id="problem" role="alert"></p>
<button id="send">Send</button>
</form>
<p id="done" role="status"></p>
</main>
<script type="module">${SCRIPT}</script>
</body>
</html>
`
