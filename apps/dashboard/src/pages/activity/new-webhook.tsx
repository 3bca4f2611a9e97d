import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { bodyOf, isComplete, type WebhookContent, WebhookFields } from './webhook-fields.tsx'

interface Props {
  readonly onMade: (secret: string | null) => void
  readonly onClose: () => void
}

export function NewWebhook({ onMade, onClose }: Props) {
  const [content, setContent] = useState<WebhookContent>({ url: '', events: ['*'], description: '' })
  return (
    <FormDialog<{ secret: string | null }>
      title="Add a webhook"
      action={{ method: 'POST', path: WEBHOOKS, body: bodyOf(content) }}
      submit="Add"
      isShownOnce
      ready={isComplete(content)}
      onDone={({ secret }) => onMade(secret)}
      onClose={onClose}
    >
      <WebhookFields value={content} onChange={setContent} />
    </FormDialog>
  )
}
