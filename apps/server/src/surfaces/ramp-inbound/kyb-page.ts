import type { KybStatus } from '../../database/index.ts'
import type { KybFieldName, KybFormInput } from './kyb-fields.ts'

/** Verification pages: plain HTML that works without JavaScript, with a keyboard and with a screen reader. */

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fbfaf7; --line: #8a9099; --accent: #0b5c5c; --wrong: #a3131f }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae4; --paper: #14181c; --line: #7d858f; --accent: #7fd1c7; --wrong: #ff9a9f } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
label { display: block; font-weight: 600; margin-top: 1.25rem }
.hint { font-size: .9rem; margin: 0 }
input:not([type=checkbox]) { width: 100%; font: inherit; color: inherit; background: transparent; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: .4rem }
input[aria-invalid] { border-color: var(--wrong) }
.check { display: flex; gap: .6rem; align-items: start; font-weight: 400 }
.check input { width: 1.2rem; height: 1.2rem; margin-top: .15rem }
.wrong { color: var(--wrong); margin: .25rem 0 0; font-weight: 600 }
button { font: inherit; font-weight: 600; margin-top: 1.75rem; padding: .7rem 1.4rem; border: 0; border-radius: .4rem; color: var(--paper); background: var(--accent); cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.box { border-left: 4px solid var(--wrong); padding: .25rem 1rem; margin: 1.5rem 0 }
footer { margin-top: 3rem; font-size: .85rem }`

function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
<footer>This is the sandbox: nobody reads what you enter here, and nothing is verified.</footer>
</main>
</body>
</html>
`
}

interface FormField {
  readonly name: KybFieldName
  readonly label: string
  readonly hint: string
  readonly attributes: string
}

const FORM_FIELDS: readonly FormField[] = [
  {
    name: 'legal_name',
    label: 'Legal name',
    hint: 'As registered.',
    attributes: 'autocomplete="organization" maxlength="200"',
  },
  {
    name: 'registration_number',
    label: 'Registration number',
    hint: 'Number in the company register.',
    attributes: 'maxlength="50"',
  },
  {
    name: 'country',
    label: 'Country',
    hint: 'Two-letter code, such as US.',
    attributes: 'autocomplete="country" maxlength="2"',
  },
  {
    name: 'email',
    label: 'Email',
    hint: 'For questions about the verification.',
    attributes: 'type="email" autocomplete="email" maxlength="254"',
  },
]

/** The form, with earlier values and their problems. */
export function formPage(customer: string, { values, problems }: KybFormInput): string {
  const wrong = Object.keys(problems).length
  const summary = wrong
    ? `<div class="box" role="alert"><h2>There ${wrong === 1 ? 'is a problem' : 'are problems'}</h2><ul>${Object.entries(
        problems,
      )
        .map(([name, text]) => `<li><a href="#${name}">${text}</a></li>`)
        .join('')}</ul></div>`
    : ''
  const field = ({ name, label, hint, attributes }: FormField) => {
    const problem = problems[name]
    return `<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<input id="${name}" name="${name}" value="${escaped(values[name])}" required ${attributes} aria-describedby="${name}-hint${problem ? ` ${name}-wrong` : ''}"${problem ? ' aria-invalid="true"' : ''}>
${problem ? `<p class="wrong" id="${name}-wrong">${problem}</p>` : ''}`
  }
  return pageOf(
    `${wrong ? 'Error: ' : ''}Verification of ${escaped(customer)}`,
    `<h1>Verification of ${escaped(customer)}</h1>
<p>The bank must verify who you are before it can move money for you.</p>
${summary}
<form method="post" novalidate>
${FORM_FIELDS.map(field).join('\n')}
<label class="check" for="accurate"><input type="checkbox" id="accurate" name="accurate" value="yes" required${problems.accurate ? ' aria-invalid="true" aria-describedby="accurate-wrong"' : ''}> These answers are correct, and I am authorized to give them.</label>
${problems.accurate ? `<p class="wrong" id="accurate-wrong">${problems.accurate}</p>` : ''}
<button type="submit">Send</button>
</form>`,
  )
}

const STATUS_TEXTS: Readonly<Record<KybStatus, string>> = {
  pending: 'The form has not been submitted yet.',
  submitted: 'Your answers were submitted and are being reviewed. You can close this page.',
  approved: 'You are verified. No further action is needed.',
  declined: 'The verification was declined. Contact the company that sent you here for the next steps.',
}

/** The status of a submitted form. */
export function statusPage({ customer, status }: { customer: string; status: KybStatus }): string {
  return pageOf(
    `Verification of ${escaped(customer)}`,
    `<h1>Verification of ${escaped(customer)}</h1>\n<p role="status">${STATUS_TEXTS[status]}</p>`,
  )
}

export function notFoundPage(): string {
  return pageOf('No such form', '<h1>This form does not exist</h1>\n<p>Check the link that you received.</p>')
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
