import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from './highlight.ts'
import { addressOf, type Navigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'
import { hashOf } from './sources-hash.ts'

/**
 * The HTML around every page. The service puts the page in place of `%ARTICLE%`, its title, description, section and
 * Markdown's address in place of the other marks, and marks the page and its section as current.
 */
export function shellOf(navigation: Navigation, pages: ReadonlyMap<string, RenderedPage>, folder: string): string {
  const asset = (name: string) =>
    `/docs/assets/${name}?v=${hashOf(readFileSync(join(folder, 'src', name))).slice(0, 12)}`
  const tabs = navigation.sections
    .map(({ name, title, groups }) => {
      const first = addressOf(groups[0]!.pages[0]!)
      return `<a data-section="${name}" href="${first}">${escapeHtml(title)}</a>`
    })
    .join('\n')
  const sidebar = navigation.sections
    .map(({ name, title, groups }) => {
      const lists = groups.map((group) => {
        const items = group.pages.map(
          (page) =>
            `<li><a href="${addressOf(page)}">${escapeHtml(navigation.labels[page] ?? pages.get(page)!.title)}</a></li>`,
        )
        return `<h3>${escapeHtml(group.title)}</h3>\n<ul>\n${items.join('\n')}\n</ul>`
      })
      return `<section data-section="${name}">\n<h2>${escapeHtml(title)}</h2>\n${lists.join('\n')}\n</section>`
    })
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="%DESCRIPTION%">
<title>%TITLE%</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="%MARKDOWN%">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('theme.js')}"></script>
<script src="${asset('site.js')}" type="module"></script>
</head>
<body data-section="%SECTION%">
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar" aria-label="Menu"><span></span></button>
<a class="brand" href="/docs/"><img src="${asset('icon.svg')}" alt="" width="22" height="22">Weir</a>
<nav class="tabs" aria-label="Sections">
${tabs}
</nav>
<button type="button" class="search" aria-haspopup="dialog"><span>Search</span><kbd>/</kbd></button>
<a class="api" href="/docs/api/">API reference</a>
<button type="button" class="theme" aria-label="Switch between light and dark"></button>
</header>
<div class="page">
<nav id="sidebar" aria-label="Pages">
${sidebar}
</nav>
<main id="content" tabindex="-1">
%ARTICLE%
<footer>
<nav class="neighbors" aria-label="Next and previous page"></nav>
<p><a href="%MARKDOWN%">This page as Markdown</a> · <a href="/llms.txt">llms.txt</a> · <a href="/openapi.json">openapi.json</a> · <a href="/">Dashboard</a></p>
</footer>
</main>
</div>
<dialog class="search" aria-label="Search the documents">
<form method="dialog"><input type="search" placeholder="Search the documents" aria-label="Search the documents" autocomplete="off" spellcheck="false" maxlength="100"><button type="submit">Close</button></form>
<p role="status"></p>
<ul></ul>
</dialog>
</body>
</html>
`
}
