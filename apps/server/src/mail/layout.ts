/** An email's parts, in plain text: what is between them is the same in every email. */
export interface MailLayout {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly url: string }
  readonly closing: readonly string[]
}

const SIGNATURE = 'Weir sent this email automatically. Replies are not read.'

export function renderText({ paragraphs, button, closing }: MailLayout): string {
  const link = button === undefined ? [] : [`${button.label}:\n${button.url}`]
  return `${[...paragraphs, ...link, ...closing, `--\n${SIGNATURE}`].join('\n\n')}\n`
}

/**
 * Plain HTML without images, scripts or anything remote: it looks the same in every mail program, and tracks nobody.
 */
export function renderHtml({ subject, paragraphs, button, closing }: MailLayout): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  const link =
    button === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:#0b5c5c;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>`,
          `<p style="margin:0 0 16px;font-size:13px;color:#59616b">Or open this address: <span style="word-break:break-all">${escapeHtml(button.url)}</span></p>`,
        ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f3f1ec">
<div style="max-width:560px;margin:0 auto;padding:32px;border-radius:8px;background:#ffffff;color:#1b1f24;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${[...paragraphs.map(paragraph), ...link, ...closing.map(paragraph)].join('\n')}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dedad2;font-size:13px;color:#59616b">${SIGNATURE}</p>
</div>
</body>
</html>
`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
