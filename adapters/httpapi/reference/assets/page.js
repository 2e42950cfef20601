// Renders the API reference. The page uses only this server: no fonts, telemetry or
// services of other hosts.
const place = document.querySelector("#reference");

Scalar.createApiReference(place, {
  url: place.dataset.document,
  metaData: { title: "Lyceum API" },
  authentication: { preferredSecurityScheme: "X-Api-Key" },
  documentDownloadType: "direct",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  customCss: `
    .scalar-app { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
    .scalar-app .markdown table { display: block; overflow-x: auto; table-layout: auto; }
    .scalar-app .markdown table :is(td, th) { word-break: normal; overflow-wrap: normal; }
  `,
});
