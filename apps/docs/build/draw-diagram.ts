import { renderMermaidSVG } from 'beautiful-mermaid'
import { escapeHtml } from './highlight.ts'

/** What a drawing may shrink to: the width of a page's text, and less only where its words stay readable. */
const [TEXT_WIDTH, LEAST_SCALE] = [646, 0.68]

/**
 * Draws a Mermaid diagram as inline SVG. Its colors come from the site's style sheet, so they follow light and dark. `id` is
 * unique within the page.
 */
export function drawDiagram(source: string, id: string): string {
  const svg = renderMermaidSVG(source, { transparent: true, padding: 12 })
  // The content policy allows no inline styles, and the drawing must load nothing.
  const bare = svg
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s(?:style|data-[\w-]+)="[^"]*"/g, '')
    .replace(/\barrowhead\b/g, `${id}-arrow`)
    .replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
    .replace(/\n\s*(?=\n)/g, '')
  return `<figure class="diagram" tabindex="0">${sized(bare.trim())}<details><summary>As text</summary><pre tabindex="0"><code>${escapeHtml(source)}</code></pre></details></figure>`
}

/** The drawing with the size to show it in: a wide one shrinks a little, and the page scrolls it. */
function sized(svg: string): string {
  return svg.replace(/ width="([\d.]+)" height="[\d.]+"/, (_, width: string) => {
    const natural = Number(width)
    return ` width="${Math.round(Math.min(natural, Math.max(TEXT_WIDTH, natural * LEAST_SCALE)))}"`
  })
}
