"""The API half of API-GUI: typed functions, one module an application."""
